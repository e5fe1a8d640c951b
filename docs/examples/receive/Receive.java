// Java 17 or newer, standard library only. In another terminal of the checkout, this prints the secret and forwards webhooks:
// npx parcelctl listen --forward-to http://localhost:3000/
// Start with: WEBHOOK_SECRET=whsec_… java Receive.java

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receive {
    static boolean isVerified(String secret, String id, String timestamp, String signatures, byte[] body) throws Exception {
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        var expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        for (var signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        var secret = System.getenv("WEBHOOK_SECRET");
        var port = Integer.parseInt(System.getenv().getOrDefault("RECEIVER_PORT", "3000"));
        var server = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        server.createContext("/", exchange -> {
            var headers = exchange.getRequestHeaders();
            var body = exchange.getRequestBody().readAllBytes();
            var isGood = false;
            try {
                isGood = isVerified(secret, headers.getFirst("webhook-id"), headers.getFirst("webhook-timestamp"),
                        headers.getFirst("webhook-signature"), body);
            } catch (Exception refusal) {
                System.err.println("Refused: " + refusal);
            }
            exchange.sendResponseHeaders(isGood ? 204 : 401, -1);
            exchange.close();
            if (!isGood) return;
            var text = new String(body, StandardCharsets.UTF_8);
            var type = text.replaceFirst("(?s).*?\"type\":\"([^\"]+)\".*", "$1");
            System.out.println("VERIFIED " + type + " " + text.replaceFirst("(?s).*\"po_number\":\"([^\"]+)\".*", "$1"));
        });
        server.start();
        System.out.println("Waiting for webhooks. Press Ctrl-C to stop.");
    }
}

// Java 17 or newer, standard library only.

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies the webhooks of the platform. */
public final class VerifyWebhook {
    private static final long TOLERANCE_SECONDS = 300;

    private VerifyWebhook() {}

    /**
     * Throws SecurityException when a webhook must not be trusted; respond with 401 then.
     * body: the bytes as they came, not parsed. headers: names in lower case. now: Instant.now().getEpochSecond().
     */
    public static void verify(byte[] body, Map<String, String> headers, String secret, long now) throws GeneralSecurityException {
        String id = headers.getOrDefault("webhook-id", "");
        String timestamp = headers.getOrDefault("webhook-timestamp", "");
        if (id.isEmpty() || !timestamp.matches("[0-9]{1,12}")) throw new SecurityException("a header is missing or malformed");
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) throw new SecurityException("the timestamp is too far away");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // During a rotation there are two signatures; one that fits is enough.
        for (String candidate : headers.getOrDefault("webhook-signature", "").split(" ")) {
            if (MessageDigest.isEqual(expected, candidate.getBytes(StandardCharsets.UTF_8))) return;
        }
        throw new SecurityException("no signature fits");
    }
}

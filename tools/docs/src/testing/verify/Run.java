import java.util.List;
import java.util.Map;

public class Run {
    // The cases come as lines: secret, headers and body in base64, and the time.
    public static void main(String[] args) throws Exception {
        var decoder = java.util.Base64.getDecoder();
        var accepted = new java.util.ArrayList<Boolean>();
        for (String line : List.of(new String(System.in.readAllBytes()).strip().split("\n"))) {
            var parts = line.split(" ");
            var headers = new java.util.HashMap<String, String>();
            for (String header : new String(decoder.decode(parts[1])).split("\n")) {
                var pair = header.split("=", 2);
                if (pair.length == 2) headers.put(pair[0], pair[1]);
            }
            try {
                VerifyWebhook.verify(decoder.decode(parts[2]), headers, new String(decoder.decode(parts[0])), Long.parseLong(parts[3]));
                accepted.add(true);
            } catch (SecurityException refusal) {
                accepted.add(false);
            }
        }
        System.out.println(accepted);
    }
}

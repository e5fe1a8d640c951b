// A webhook receiver that verifies what it is sent: node docs/examples/receiver.mjs
// WEBHOOK_SECRET is the `secret` of the endpoint, whsec_…; while it is not set, signatures are not checked and the output says so.
// RECEIVER_PORT is the port to listen on; default 3000.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const port = Number(process.env.RECEIVER_PORT ?? 3000);
const secret = process.env.WEBHOOK_SECRET;

/** Says why the receiver cannot run, and ends it. */
function refuse(why) {
  console.error(why);
  process.exit(1);
}

if (secret !== undefined && !secret.startsWith('whsec_'))
  refuse('WEBHOOK_SECRET must be the secret of the endpoint, which begins with whsec_.');

const server = createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    let verdict = 'not checked: WEBHOOK_SECRET is not set';
    if (secret) {
      try {
        new Webhook(secret).verify(body, req.headers);
        verdict = 'signature good';
      } catch {
        res.writeHead(401).end();
        console.log(`${req.headers['webhook-id']} signature BAD`);
        return;
      }
    }
    // Respond first, work later: the sender waits at most 15 seconds. Remember webhook-id to recognise a repeat.
    res.writeHead(204).end();
    console.log(`${req.headers['webhook-id']} ${verdict} ${body}`);
  });
});
server.once('error', (error) => refuse(`Cannot listen on 127.0.0.1:${port} (${error.code}): choose another port with RECEIVER_PORT.`));
server.listen(port, '127.0.0.1', () => console.log(`receiving at http://127.0.0.1:${port}/`));

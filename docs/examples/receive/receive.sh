# In the checkout of the platform: the secret, a receiver that checks signatures with it, and what forwards the webhooks to it.
export WEBHOOK_SECRET=$(curl -sS "$PARCELWAY_BASE_URL/sandbox/v1/listen" -H "X-Api-Key: $PARCELWAY_API_KEY" \
  | sed -E 's/.*"secret":"([^"]+)".*/\1/')
node docs/examples/receiver.mjs &
npx parcelctl listen --forward-to http://localhost:3000/
# Afterwards: kill %1

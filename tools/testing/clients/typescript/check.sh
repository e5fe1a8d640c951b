# A client for TypeScript by openapi-typescript and openapi-fetch.
npm --version || { echo 'needs npm'; exit 69; }
npm ci --ignore-scripts --no-audit --no-fund
node_modules/.bin/openapi-typescript openapi.json --output generated/parcelway.d.ts
node_modules/.bin/tsc
node built/submit-forecast.js

"""Made from the contract by `npm run docs`; do not edit."""

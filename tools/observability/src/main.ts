// `npm run observability`: writes the operator's form of all rules.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATOR_FILE, operatorRules } from './prometheus-rules.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
writeFileSync(join(root, OPERATOR_FILE), operatorRules(root));

import { choice, type Environ, loadConfig } from '@parcelway/platform/config';
import { type LabelPage, labelPages } from '../domain/label-format.ts';

/** What the documents need of the environment. */
export interface DocumentsConfig {
  readonly LABEL_PAGE: LabelPage;
  /** Digits of the operator's GS1 company prefix; undefined: no SSCC. */
  readonly GS1_COMPANY_PREFIX: string | undefined;
}

/** GS1 General Specifications, 1.4.3. */
const COMPANY_PREFIX = /^\d{4,12}$/;

/** Reads the configuration. @throws ConfigError naming every variable that is wrong */
export function readDocumentsConfig(env: Environ): DocumentsConfig {
  return loadConfig<DocumentsConfig>(env, {
    LABEL_PAGE: choice(labelPages, '100x150'),
    GS1_COMPANY_PREFIX: (value) => {
      if (value !== undefined && !COMPANY_PREFIX.test(value)) throw new Error('must be a GS1 company prefix of 4 to 12 digits');
      return value;
    },
  });
}

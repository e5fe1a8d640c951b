import { readCompanyPrefix } from '@parcelway/contracts/sscc';
import { choice, type Environ, loadConfig } from '@parcelway/platform/config';
import { type LabelPage, labelPages } from '../domain/label-format.ts';

/** What the documents need of the environment. */
export interface DocumentsConfig {
  readonly LABEL_PAGE: LabelPage;
  /** Digits of the operator's GS1 company prefix; undefined: no SSCC. */
  readonly GS1_COMPANY_PREFIX: string | undefined;
  /** When labels and packing slips are generated. At acceptance costs CPU time for each forecast, whether anybody opens them or not. */
  readonly RENDER_DOCUMENTS: 'when-opened' | 'at-acceptance';
}

/** Reads the configuration. @throws ConfigError naming every variable that is wrong */
export function readDocumentsConfig(env: Environ): DocumentsConfig {
  return loadConfig<DocumentsConfig>(env, {
    LABEL_PAGE: choice(labelPages, '100x150'),
    GS1_COMPANY_PREFIX: readCompanyPrefix,
    RENDER_DOCUMENTS: choice(['when-opened', 'at-acceptance'], 'when-opened'),
  });
}

// Made from the contract by `npm run docs`; do not edit.
import type { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from './console-api.ts';

/** What each route of "Console" takes and gives. */
export interface ConsoleRoutes {
  /** Begin a session of the console: `POST /open/v1/console/sessions` */
  readonly createConsoleSession: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ConsoleSession;
  };
  /** Create a link to the console: `POST /open/v1/console/links` */
  readonly createConsoleLink: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ConsoleLinkCreation | undefined;
    readonly data: ConsoleLink;
  };
}

import { createHmac } from 'node:crypto';

/** A call as it is signed. */
interface YunExpressCall {
  readonly method: 'GET' | 'POST';
  /** Such as `/v1/track-service/info/get`; a query is not signed. */
  readonly uri: string;
  /** Exactly as it is sent; none for a GET. */
  readonly body?: string | undefined;
}

/** What an application signs with. */
interface YunExpressCredentials {
  /** The current access token. */
  readonly token: string;
  readonly appSecret: string;
}

/** The headers of a signed call. */
interface YunExpressHeaders {
  readonly token: string;
  readonly date: string;
  readonly sign: string;
}

/**
 * The headers that sign a call: `sign` is the base64 HMAC-SHA256 of `body=…&date=…&method=…&uri=…`, without `body` where
 * there is none.
 * @param now epoch milliseconds
 */
export function signYunExpressCall(call: YunExpressCall, { token, appSecret }: YunExpressCredentials, now: number): YunExpressHeaders {
  const date = String(now);
  const [path] = call.uri.split('?');
  const body = call.body === undefined || call.body === '' ? '' : `body=${call.body}&`;
  const sign = createHmac('sha256', appSecret).update(`${body}date=${date}&method=${call.method}&uri=${path}`).digest('base64');
  return { token, date, sign };
}

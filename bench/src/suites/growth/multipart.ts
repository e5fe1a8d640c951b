const BOUNDARY = 'parcelway-bench-boundary';

/** A form with one file, as an upload sends it. */
export function multipart(name: string, mediaType: string, content: Buffer): { readonly type: string; readonly body: Buffer } {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mediaType}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}

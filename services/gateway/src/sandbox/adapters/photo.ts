import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 320;
const HEIGHT = 240;
/** Wall, bench, carton, its edge, tape. */
const PALETTE = Buffer.from('e8e4dcb9b2a6c9975b9c6f3ad9bd8f', 'hex');
const [WALL, BENCH, CARTON, EDGE, TAPE] = [0, 1, 2, 3, 4];

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/**
 * A photo as of a warehouse: a carton on a bench.
 * @param number chooses the size of the carton: consecutive numbers show different ones
 * @param mark goes into the file as a text, so that its content is that of no other photo; of ASCII characters
 * @returns a PNG (W3C PNG, third edition)
 */
export function samplePhoto(number: number, mark: string): Buffer {
  // Each row begins with its filter: none.
  const rows = Array.from({ length: HEIGHT }, () => Buffer.alloc(1 + WIDTH, WALL));
  const fill = (left: number, top: number, width: number, height: number, colour: number): void => {
    for (const row of rows.slice(top, top + height)) row.fill(colour, 1 + left, 1 + left + width);
  };
  fill(0, 190, WIDTH, 50, BENCH);
  const width = 110 + (number % 3) * 36;
  const left = (WIDTH - width) / 2;
  fill(left, 100, width, 96, CARTON);
  fill(left, 100, width, 5, EDGE);
  fill(left + width / 2 - 8, 100, 16, 96, TAPE);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each dot, a palette.
  head.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('PLTE', PALETTE),
    chunk('tEXt', Buffer.from(`Comment\0${mark}`, 'latin1')),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

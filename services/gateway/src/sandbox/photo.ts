import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 320;
const HEIGHT = 240;
/** Wall, bench, carton, its edge, tape, scale, display, digits. */
const PALETTE = Buffer.from('e8e4dcb9b2a6c9975b9c6f3ad9bd8f6d737b1d252b7be08a', 'hex');
const [WALL, BENCH, CARTON, EDGE, TAPE, SCALE, DISPLAY, DIGIT] = [0, 1, 2, 3, 4, 5, 6, 7];
/** Characters of three by five dots, row by row. */
const GLYPHS: Readonly<Record<string, string>> = {
  ...{ 0: '111101101101111', 1: '010110010010111', 2: '111001111100111', 3: '111001111001111', 4: '101101111001001' },
  ...{ 5: '111100111001111', 6: '111100111101111', 7: '111001001001001', 8: '111101111101111', 9: '111101111001111' },
  ...{ '.': '000000000000010', k: '100101110101101', g: '111101111001111' },
};
const DOT = 5;

/** A picture of palette indices. */
class Picture {
  readonly dots = new Uint8Array(WIDTH * HEIGHT).fill(WALL);

  fill(left: number, top: number, width: number, height: number, colour: number): void {
    for (let y = top; y < top + height; y += 1) this.dots.fill(colour, y * WIDTH + left, y * WIDTH + left + width);
  }

  write(text: string, left: number, top: number): void {
    [...text].forEach((character, place) => {
      [...(GLYPHS[character] ?? '')].forEach((dot, index) => {
        if (dot === '1') this.fill(left + (place * 4 + (index % 3)) * DOT, top + Math.floor(index / 3) * DOT, DOT, DOT, DIGIT);
      });
    });
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** What a photo shows. */
export interface PhotoSubject {
  /** Chooses the size of the carton: consecutive numbers show different ones. */
  readonly number: number;
  /** What the scale below the carton shows; without it there is no scale. */
  readonly weightKg?: number | undefined;
  /** Goes into the file as a text, so that its content is that of no other photo; of ASCII characters. */
  readonly mark: string;
}

/** A photo as of a warehouse: a carton on a bench, or on a scale that shows its weight. @returns a PNG (W3C PNG, third edition) */
export function samplePhoto({ number, weightKg, mark }: PhotoSubject): Buffer {
  const picture = new Picture();
  picture.fill(0, 190, WIDTH, 50, BENCH);
  const width = 110 + (number % 3) * 36;
  const left = (WIDTH - width) / 2;
  const bottom = weightKg === undefined ? 196 : 160;
  picture.fill(left, bottom - 96, width, 96, CARTON);
  picture.fill(left, bottom - 96, width, 5, EDGE);
  picture.fill(left + width / 2 - 8, bottom - 96, 16, 96, TAPE);
  if (weightKg !== undefined) {
    picture.fill(50, 160, 220, 8, SCALE);
    picture.fill(70, 168, 180, 54, SCALE);
    picture.fill(80, 176, 160, 38, DISPLAY);
    const text = `${weightKg} kg`;
    picture.write(text.length <= 8 ? text : `${weightKg}`, 86, 182);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each dot, a palette.
  head.set([8, 3], 8);
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) rows.set(picture.dots.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('PLTE', PALETTE),
    chunk('tEXt', Buffer.from(`Comment\0${mark}`, 'latin1')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

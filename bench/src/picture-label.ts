/** Where the bytes of the picture begin; those at their beginning may be changed, they are a corner of it. */
export const PICTURE_AT = 256;

const WIDTH = 800;
/** Millimetres 100 x 150 in points, as labels are printed. */
const PAGE = { width: 283, height: 425 };
/** Share of the picture's height that bars fill; the rest is white. */
const BARS = 0.2;

/** A picture in shades of grey, a byte for each dot: white, with a field of bars in its middle as of a barcode that cannot be read. */
function picture(height: number): Buffer {
  const dots = Buffer.alloc(WIDTH * height, 0xff);
  const bars = Buffer.from(Array.from({ length: WIDTH }, (_, at) => (at > 100 && at < 700 && (at * at * 7) % 11 < 5 ? 0 : 0xff)));
  const first = Math.floor(height * (0.5 - BARS / 2));
  for (let row = first; row < first + Math.floor(height * BARS); row += 1) bars.copy(dots, row * WIDTH);
  return dots;
}

/** A PDF of one page that is one picture, as many carriers send their labels, of about so many bytes (at least a hundred thousand). */
export function pictureLabel(bytes: number): Buffer {
  const height = Math.floor((bytes - 1000) / WIDTH);
  const content = `q ${PAGE.width} 0 0 ${PAGE.height} 0 0 cm /Picture Do Q`;
  const dots = picture(height);
  const head =
    `4 0 obj\n<< /Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 ` +
    `/Length ${dots.length} >>\nstream\n`;
  const signature = '%PDF-1.4\n';
  // A comment fills up the head, so that the picture begins at a known place.
  const filling = `%${' '.repeat(PICTURE_AT - signature.length - head.length - 2)}\n`;
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /XObject << /Picture 4 0 R >> >> /Contents 5 0 R >>\nendobj\n`,
    `5 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`,
  ];
  const pictureEnd = '\nendstream\nendobj\n';
  let at = PICTURE_AT + dots.length + pictureEnd.length;
  const placed = objects.map((object) => {
    const place = at;
    at += object.length;
    return place;
  });
  const [catalog = 0, pages = 0, page = 0, stream = 0] = placed;
  const entries = [catalog, pages, page, signature.length + filling.length, stream];
  const table = entries.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([Buffer.from(signature + filling + head), dots, Buffer.from(pictureEnd + objects.join('') + end)]);
}

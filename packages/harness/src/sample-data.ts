/** A small valid PDF; `mark` makes its content, and so its MD5, distinct. */
export function samplePdf(mark: string): Buffer {
  const stream = `BT /F1 18 Tf 40 100 Td (${mark.replace(/[()\\]/g, '')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** What a sample forecast may differ in. */
export interface SampleForecast {
  readonly poNumber: string;
  readonly warehouseCode: string;
  readonly shippingLabel?: string;
  readonly shippingNote?: string;
  readonly forecastType?: 1 | 2;
  readonly trackingNumber?: string;
  readonly items?: number;
}

/** The body of a submission. Type 1 needs no files and is the default when none are given. */
export function sampleSubmission(sample: SampleForecast): Record<string, unknown> {
  const type = sample.forecastType ?? (sample.shippingLabel ? 2 : 1);
  return {
    po_number: sample.poNumber,
    forecast_type: type,
    warehouse_code: sample.warehouseCode,
    ...(sample.shippingLabel ? { shipping_label: sample.shippingLabel } : {}),
    ...(sample.shippingNote ? { shipping_note: sample.shippingNote } : {}),
    items: Array.from({ length: sample.items ?? 1 }, (_, index) => ({
      sku_code: `SKU-${index + 1}`,
      product_name_en: `Cotton T-shirt ${index + 1}`,
      product_name_cn: '纯棉T恤',
      forecast_quantity: 10 + index,
      forecast_price: 12.5,
      hs_code: '6109.10.0000',
      ...(sample.trackingNumber ? { tracking_number: sample.trackingNumber } : {}),
    })),
  };
}

/** Starts with the PNG signature, which is what an upload is judged by; `mark` makes the content distinct. */
export function samplePng(mark: string): Buffer {
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(mark.repeat(20))]);
}

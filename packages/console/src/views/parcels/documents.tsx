import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';

type Link = readonly [name: string, url: string | null];

/** A product label with a page for each piece, to be printed. @param url of the label */
function perPiece(url: string): string {
  const pages = new URL(url);
  pages.searchParams.set('copies', 'quantity');
  return pages.href;
}

/** Links to documents, and what is to say of them. */
function Links({ links, note = '' }: { readonly links: readonly Link[]; readonly note?: string }) {
  const present = links.flatMap(([name, url]) => (url === null ? [] : [[name, url] as const]));
  if (present.length === 0 && note === '') return null;
  return (
    <span class="links">
      {present.map(([name, url]) => (
        <a key={name} href={url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ))}
      {note !== '' && <span class="faint">{note}</span>}
    </span>
  );
}

/** The documents of the merchant, and those that the platform makes with the version of the forecast that they show. */
export function Documents({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const { shipping_label, shipping_note, marketplace_label, marketplace_label_version, packing_slip } = forecast;
  return (
    <span class="stack">
      <Links
        links={[
          [t.parcel.label, shipping_label],
          [t.parcel.note, shipping_note],
        ]}
      />
      <Links
        links={[
          [t.findings.productLabel, marketplace_label],
          [t.findings.labelPerPiece, perPiece(marketplace_label)],
          [t.findings.packingSlip, packing_slip],
        ]}
        note={t.findings.version(marketplace_label_version)}
      />
    </span>
  );
}

import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useWords } from '../../messages/language.ts';

/** What the list needs. */
export interface ReportPhotosProps {
  readonly photos: ForecastDetail['measurements'][number]['photos'];
  /** What they show, for those who hear the links. */
  readonly of: string;
}

/** The photos of one report, as links; nothing when it has none. */
export function ReportPhotos({ photos, of }: ReportPhotosProps) {
  const { t } = useWords();
  if (photos.length === 0) return null;
  return (
    <ul class="links links-list">
      {photos.map(({ id, image_url }, index) => (
        <li key={id}>
          <a href={image_url} target="_blank" rel="noreferrer">
            {t.findings.photo(index + 1)}
            <span class="visually-hidden"> ({of})</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

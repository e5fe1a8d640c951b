import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { useWords } from '../../messages/language.ts';

interface Photo {
  readonly id: string;
  readonly url: string;
  readonly what: string;
}

/** True for an address that the page may load a picture from: its policy allows its own origin and no other. */
const isOurs = (url: string): boolean => new URL(url).origin === location.origin;

/** Photos of the weigher and of the forecast; links where the platform names another address than the page has. */
export function Photos({ weighing }: { readonly weighing: WeighingData }) {
  const { t } = useWords();
  const photos: Photo[] = [
    ...weighing.weighing_images.map((image) => ({ id: `w${image.id}`, url: image.image_url, what: t.parcel.weighingPhoto })),
    ...weighing.forecast_images.map((image) => ({
      id: `f${image.id}`,
      url: image.image_url,
      what: t.parcel.imageTypes[image.image_type] ?? image.image_type,
    })),
  ];
  return (
    <>
      <h3>{t.parcel.photos}</h3>
      {photos.length === 0 ? (
        <p class="faint">{t.parcel.noPhotos}</p>
      ) : (
        <ul class="photos">
          {photos.map(({ id, url, what }) => (
            <li key={id}>
              <a href={url} target="_blank" rel="noreferrer">
                {isOurs(url) ? (
                  <img src={url} alt={t.parcel.photoOf(what)} loading="lazy" width="120" height="90" />
                ) : (
                  <span>{t.parcel.openPhoto}</span>
                )}
                <span class="photo-name">{what}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

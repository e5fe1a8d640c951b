import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastImageAddition } from '@parcelway/contracts/own-files-api';
import type { ImageType } from '@parcelway/contracts/parcel-reports';
import type { ForecastImage, WeighingData } from '@parcelway/contracts/weighing-api';
import { pathOf } from '@parcelway/page/api/client';
import { useAction } from '@parcelway/page/data/use-load';
import { fill } from '@parcelway/page/languages';
import { membersOf } from '@parcelway/page/members-of';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, Card, FailureNotice, TabLink } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { MAX_FILE_BYTES, uploadImage } from '../../api/files.ts';
import { FORECAST, FORECASTS } from '../../api/parcels.ts';
import { useWords } from '../../messages/language.ts';
import { FileField } from '../../parts/file-fields.tsx';
import { SelectField } from '../../parts/forms.tsx';
import { Empty } from '../../parts/lists.tsx';
import { FullTime } from '../../parts/values.tsx';
import { useClient, useGet, usePermissions } from '../../session/session.tsx';

interface Photo {
  readonly id: string;
  readonly url: string;
  readonly what: string;
}

/** True for an address that the page may load a picture from: its policy allows its own origin and no other. */
const isOurs = (url: string): boolean => new URL(url).origin === location.origin;

/** Photos of the weigher and of the forecast; links where the platform names another address than the page has. */
function Photos({ weighing }: { readonly weighing: WeighingData }) {
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
                  <img src={url} alt={fill(t.parcel.photoOf, what)} loading="lazy" width="120" height="90" />
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

const IMAGES = `${FORECAST}/images`;
const imageTypes = membersOf<ImageType>({ product: true, package: true, shipping: true, document: true, other: true });

interface OwnImagesProps {
  readonly forecast: ForecastDetail;
  /** Every image of the forecast; only the merchant's own can be removed. */
  readonly images: readonly ForecastImage[];
  readonly onChange: () => void;
}

/** The merchant's own images of a parcel: uploaded, and removed again. */
function OwnImages({ forecast, images, onChange }: OwnImagesProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const { can } = usePermissions();
  const action = useAction();
  const [type, setType] = useState<ImageType>('product');
  const [dialog, ask] = useAsk();
  const { po_number: poNumber, status } = forecast;
  if (!can('forecasts:write') || status === 7) return null;
  const own = images.filter(({ upload_source }) => upload_source === 'tenant');
  const nameOf = (image: ForecastImage): string => `${t.parcel.imageTypes[image.image_type] ?? image.image_type} ${image.id}`;
  const add = async (file: File): Promise<void> => {
    const { image_id } = await uploadImage(client, file);
    const body = { image_id, image_type: type } satisfies ForecastImageAddition;
    await client.call(pathOf(IMAGES, poNumber), { method: 'POST', body });
    announce(t.ownImages.added);
    onChange();
  };
  const remove = (image: ForecastImage): void =>
    ask({
      title: t.ownImages.removeTitle,
      text: nameOf(image),
      submit: t.ownImages.remove,
      danger: true,
      run: async () => {
        await client.call(pathOf(`${IMAGES}/{image_number}`, poNumber, String(image.id)), { method: 'DELETE' });
        onChange();
        return t.ownImages.removed;
      },
    });
  return (
    <details class="own-images">
      <summary>{t.ownImages.title}</summary>
      {can('files:write') && (
        <>
          <SelectField
            label={t.ownImages.shows}
            value={type}
            options={imageTypes.map((each) => [each, t.parcel.imageTypes[each] ?? each])}
            onValue={setType}
          />
          <FileField
            label={t.ownImages.add}
            hint={action.busy ? t.common.working : t.ownImages.hint}
            accept=".jpg,.jpeg,.png,.webp"
            maxBytes={MAX_FILE_BYTES}
            disabled={action.busy}
            clears
            onFile={(file) => action.run(() => add(file))}
          />
        </>
      )}
      <FailureNotice failure={action.failure} />
      {own.length > 0 && (
        <ul class="plain">
          {own.map((image) => (
            <li key={image.id} class="links">
              <TabLink href={image.image_url} text={nameOf(image)} />
              <Button onClick={() => remove(image)} text={fill(t.common.remove, nameOf(image))} />
            </li>
          ))}
        </ul>
      )}
      {dialog}
    </details>
  );
}

const CANCELLED = 7;

export function WeighingSection({ forecast }: { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const { po_number: poNumber, update_time: updateTime } = forecast;
  // What is shown stays until the change is loaded: a dialog that is open would go with it.
  const { data, failure, reload } = useGet<WeighingData>(`${FORECASTS}/weighing`, { po_number: poNumber }, Date.parse(updateTime));
  const [current] = forecast.measurements;
  const figures = [
    [t.parcel.weight, current?.weight_kg, 'kg'],
    [t.parcel.length, current?.length_cm, 'cm'],
    [t.parcel.width, current?.width_cm, 'cm'],
    [t.parcel.height, current?.height_cm, 'cm'],
  ] as const;
  const none =
    forecast.status === CANCELLED ? (
      <Empty title={t.parcel.notWeighedEver} hint={t.parcel.notShippedEverHint} />
    ) : (
      <Empty title={t.parcel.notWeighed} hint={t.parcel.notWeighedHint} />
    );
  return (
    <Card title={t.parcel.measurements}>
      {current === undefined ? (
        none
      ) : (
        <>
          <dl class="figures">
            {figures.map(([name, value, unit]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {value} <span class="unit">{unit}</span>
                </dd>
              </div>
            ))}
          </dl>
          <p class="faint">
            {t.parcel.weighedAt} <FullTime at={current.weighed_at} />
          </p>
        </>
      )}
      <FailureNotice failure={failure} onRetry={reload} />
      {data && <Photos weighing={data} />}
      {data && <OwnImages forecast={forecast} images={data.forecast_images} onChange={reload} />}
    </Card>
  );
}

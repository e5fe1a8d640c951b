import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ImageType } from '@parcelway/contracts/parcel-reports';
import type { ForecastImage } from '@parcelway/contracts/weighing-api';
import { membersOf } from '@parcelway/page/members-of';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { MAX_FILE_BYTES, uploadImage } from '../../api/files.ts';
import { addImage, removeImage } from '../../api/parcels.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { useClient, usePermissions } from '../../session/session.tsx';

/** What an image may show. */
export const imageTypes = membersOf<ImageType>({ product: true, package: true, shipping: true, document: true, other: true });

/** What the list needs. */
export interface OwnImagesProps {
  readonly forecast: ForecastDetail;
  /** Every image of the forecast; only the merchant's own can be removed. */
  readonly images: readonly ForecastImage[];
  /** Called when there is one more or one less. */
  readonly onChange: () => void;
}

/** The merchant's own images of a parcel: uploaded, and removed again. */
export function OwnImages({ forecast, images, onChange }: OwnImagesProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const { can } = usePermissions();
  const action = useAction();
  const [type, setType] = useState<ImageType>('product');
  const [removing, setRemoving] = useState<ForecastImage>();
  const { po_number: poNumber, status } = forecast;
  if (!can('forecasts:write') || status === 7) return null;
  const own = images.filter(({ upload_source }) => upload_source === 'tenant');
  const nameOf = (image: ForecastImage): string => `${t.parcel.imageTypes[image.image_type] ?? image.image_type} ${image.id}`;
  const add = async (file: File): Promise<void> => {
    const { image_id } = await uploadImage(client, file);
    await addImage(client, poNumber, { image_id, image_type: type });
    announce(t.ownImages.added);
    onChange();
  };
  const remove = async (image: ForecastImage): Promise<void> => {
    await removeImage(client, poNumber, image.id);
    setRemoving(undefined);
    announce(t.ownImages.removed);
    onChange();
  };
  return (
    <details class="own-images">
      <summary>{t.ownImages.title}</summary>
      {can('files:write') && (
        <>
          <Field label={t.ownImages.shows}>
            {(ids) => (
              <select {...ids} value={type} onChange={(event) => setType(event.currentTarget.value as ImageType)}>
                {imageTypes.map((each) => (
                  <option key={each} value={each}>
                    {t.parcel.imageTypes[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
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
              <a href={image.image_url} target="_blank" rel="noreferrer">
                {nameOf(image)}
              </a>
              <button type="button" onClick={() => setRemoving(image)}>
                {t.common.remove(nameOf(image))}
              </button>
            </li>
          ))}
        </ul>
      )}
      {removing && (
        <ConfirmDialog
          title={t.ownImages.removeTitle}
          text={nameOf(removing)}
          confirm={t.ownImages.remove}
          danger
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </details>
  );
}

import { fill } from '@parcelway/page/languages';
import { useEffect, useRef } from 'preact/hooks';
import type { Camera, CameraState } from '../devices/camera.ts';
import { type AtParcel, type Bench, hasUnsaved, isCancelled, phaseOf, takesPhotos } from '../domain/bench.ts';
import type { Command } from '../domain/entry.ts';
import type { BenchPhoto } from '../domain/report.ts';
import { useWords } from '../messages/language.ts';
import { sizeText } from './command-line.tsx';
import { CommandButton, KeyButton } from './panels.tsx';

/** A value with what it is; a click asks for it, perhaps again. */
function Box({
  asked,
  name,
  value,
  onPress,
}: {
  readonly asked: boolean;
  readonly name: string;
  readonly value: string;
  readonly onPress: () => void;
}) {
  return (
    <button type="button" class={asked ? 'asked' : ''} onClick={onPress}>
      {name} <strong>{value}</strong>
    </button>
  );
}

export interface MeasureProps {
  readonly flow: AtParcel;
  readonly reading: Bench['reading'];
  readonly onCorrect: (what: 'weight' | 'size') => void;
}

export function Measure({ flow, reading, onCorrect }: MeasureProps) {
  const { t } = useWords();
  const asksNothing = flow.question !== undefined || (isCancelled(flow.subject) && !hasUnsaved(flow));
  const phase = asksNothing ? undefined : phaseOf(flow);
  const { weightKg, size } = flow;
  return (
    <section class="card measure" aria-label={t.measure.title}>
      <div class="boxes">
        <Box
          asked={phase === 'weight'}
          name={t.measure.weight}
          value={weightKg === undefined ? '–' : `${weightKg} kg`}
          onPress={() => onCorrect('weight')}
        />
        <Box
          asked={phase === 'size'}
          name={t.measure.size}
          value={size === undefined ? '–' : sizeText(size)}
          onPress={() => onCorrect('size')}
        />
      </div>
      {reading !== undefined && (
        <p class={reading.stable ? 'scale scale-stable' : 'scale'}>
          {t.commands.scale}: <strong>{reading.kg} kg</strong> {reading.stable ? t.measure.stable : t.measure.moving}
        </p>
      )}
    </section>
  );
}

function Viewfinder({ camera }: { readonly camera: Camera }) {
  const { t } = useWords();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    camera.showIn(video.current);
  }, [camera]);
  return <video ref={video} autoplay muted playsInline aria-label={t.photos.camera} />;
}

export interface PhotosProps {
  readonly flow: AtParcel;
  readonly camera: Camera;
  readonly cameraState: CameraState;
  readonly onDrop: (photo: BenchPhoto) => void;
  readonly onLine: (text: string) => void;
}

export function Photos({ flow, camera, cameraState, onDrop, onLine }: PhotosProps) {
  const { t } = useWords();
  const isLive = cameraState === 'on';
  const { photos } = flow;
  // While a text is asked for, a letter would be taken for it.
  const buttons: Command[] = [...(takesPhotos(flow) ? (['camera', 'file'] as const) : []), ...(flow.question ? [] : (['scale'] as const))];
  return (
    <section class="card photos" aria-label={t.photos.title}>
      <div class="pictures">
        {isLive && <Viewfinder camera={camera} />}
        <div class="taken">
          {isLive && <p class="live">{t.photos.live}</p>}
          {photos.length === 0 && <p class="faint">{t.photos.none}</p>}
          {cameraState === 'starting' && <p>{t.photos.starting}</p>}
          {cameraState === 'denied' && (
            <p class="fault" role="alert">
              {t.photos.denied}
            </p>
          )}
          {photos.length > 0 && (
            <div class="strip">
              {photos.map((photo, index) => (
                <span key={photo.id} class="picture">
                  <img src={photo.url} alt={fill(t.photos.alt, index + 1)} />
                  <button type="button" aria-label={fill(t.photos.remove, index + 1)} onClick={() => onDrop(photo)}>
                    ×
                  </button>
                </span>
              ))}
            </div>
          )}
        </div>
      </div>
      <p class="buttons">
        {buttons.map((command) => (
          <CommandButton key={command} command={command} onLine={onLine} />
        ))}
      </p>
    </section>
  );
}

const COMMANDS: readonly Command[] = ['count', 'exception', 'hold', 'dispatch', 'processing', 'put-away', 'end'];

export interface ActionsProps {
  readonly flow: AtParcel;
  readonly onLine: (text: string) => void;
  readonly onEscape: () => void;
}

export function Actions({ flow, onLine, onEscape }: ActionsProps) {
  const { t } = useWords();
  const held = flow.subject.forecast?.on_hold === true;
  // While something is asked, a letter is a response: only what ends the question is offered.
  if (flow.question !== undefined) {
    const { ask } = flow.question;
    return (
      <section class="card" aria-label={t.actions}>
        <div class="buttons actions">
          {ask === 'count' && <KeyButton keyName="*" label={t.count.again} onPress={() => onLine('*')} />}
          {ask === 'count' && <KeyButton keyName="Enter" label={t.count.end} tone="primary" onPress={() => onLine('')} />}
          {ask === 'corrected' && <CommandButton command="dispatch" tone="danger" onLine={onLine} />}
          {ask !== 'count' && <KeyButton keyName="Esc" label={t.common.back} onPress={onEscape} />}
        </div>
      </section>
    );
  }
  return (
    <section class="card" aria-label={t.actions}>
      <div class="buttons actions">
        {COMMANDS.map((command) => (
          <CommandButton
            key={command}
            command={command}
            {...(command === 'hold' && held ? { label: t.reportTypes.release } : {})}
            off={
              (command === 'count' && flow.subject.detail === undefined) || (command === 'dispatch' && (held || isCancelled(flow.subject)))
            }
            onLine={onLine}
          />
        ))}
        <KeyButton keyName="Esc" label={t.escape} onPress={onEscape} />
        <KeyButton keyName="Enter" label={t.finish} tone="primary" off={phaseOf(flow) !== 'ready'} onPress={() => onLine('')} />
      </div>
      <p class="hint">{t.letterEnter}</p>
    </section>
  );
}

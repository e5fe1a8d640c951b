import { ApiFailure } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import { TabLink } from '@parcelway/page/parts/view';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { watchConnection } from '../api/connection.ts';
import { listCarriers, listForecasts, senderCalls, warehouseCalls } from '../api/warehouse.ts';
import { BenchRunner } from '../bench/bench-runner.ts';
import { Camera, type CameraState, pictureOf } from '../devices/camera.ts';
import { printDocument } from '../devices/print.ts';
import { sleep } from '../devices/sleep.ts';
import type { DocumentKind, ScaleReading } from '../domain/bench.ts';
import { outdatedDocuments } from '../domain/corrections.ts';
import { withKey } from '../domain/entry.ts';
import { reasonsInOrder } from '../domain/report.ts';
import { MAX_OFFERED } from '../domain/reporting.ts';
import { ExpectedParcels, followExpected, type ListQuery } from '../expected/expected-parcels.ts';
import { useWords } from '../messages/language.ts';
import { runSender } from '../queue/run-sender.ts';
import type { Sender } from '../queue/sender.ts';
import type { SignedIn } from '../session/session.tsx';
import { CommandLine } from './command-line.tsx';
import { ReportsDialog, ScaleDialog, useScale } from './dialogs.tsx';
import { NetworkBanner, NetworkState } from './network.tsx';
import { ChoosePanel, IdlePanel, NumberedChoice, RecentReports, UnknownPanel } from './panels.tsx';
import { ParcelPanel } from './parcel-panel.tsx';
import { StationBar } from './sign-in-view.tsx';
import { UnclaimedPanel } from './unclaimed-panel.tsx';
import { Actions, Measure, Photos } from './work-panel.tsx';

/** Takes a scan while a window is open in which nothing that takes text has the focus. @param isOpen true while the window is */
export function useScanOver(isOpen: boolean, onScan: (scan: string) => void): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  useEffect(() => {
    if (!isOpen) return undefined;
    let keys = '';
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.activeElement?.matches('input, select, textarea')) {
        keys = '';
        return;
      }
      const { typed, scan, taken } = withKey(keys, event.key);
      keys = typed;
      if (taken) event.preventDefault();
      if (scan !== undefined) latest.current(scan);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOpen]);
}

type Remark =
  | { readonly of: 'printing'; readonly kind: DocumentKind; readonly url: string }
  /** `failure` is undefined for a document that the page may not fetch. */
  | { readonly of: 'print-failed'; readonly url: string; readonly failure: ApiFailure | undefined }
  | { readonly of: 'not-a-picture' }
  | { readonly of: 'failure'; readonly failure: ApiFailure };

export type Station = ReturnType<typeof useStation>;

function chooseFiles(): Promise<readonly File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

export function useStation({ client: own, queue, clock }: SignedIn) {
  // False after a call to which the platform did not respond.
  const [online, setOnline] = useState(true);
  const client = useMemo(() => watchConnection(own, setOnline), [own]);
  const [cameraState, setCameraState] = useState<CameraState>('off');
  const [dialog, setDialog] = useState<'scale' | 'reports'>();
  const [remark, setRemark] = useState<Remark>();
  const [stopped, setStopped] = useState<ApiFailure>();
  const [storeWorks, setStoreWorks] = useState(true);
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  const sender = useRef<Sender | undefined>(undefined);

  const { runner, expected, camera } = useMemo(() => {
    const expected = new ExpectedParcels();
    const camera = new Camera(setCameraState);
    const pictures = async (files: readonly File[]): Promise<Blob[]> => {
      try {
        return await Promise.all(files.map(pictureOf));
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        setRemark({ of: 'not-a-picture' });
        return [];
      }
    };
    const runner = new BenchRunner({
      ...warehouseCalls(client),
      expected,
      queue,
      newId: () => crypto.randomUUID(),
      page: {
        takePhoto: async () => [(await camera.shoot()) ?? []].flat(),
        pickFiles: async () => pictures(await chooseFiles()),
        async print({ kind, url }) {
          setRemark({ of: 'printing', kind, url });
          try {
            await printDocument(url);
            return true;
          } catch (error) {
            setRemark({ of: 'print-failed', url, failure: error instanceof ApiFailure ? error : undefined });
            return false;
          }
        },
        openDialog: setDialog,
        onFailure: (failure) => setRemark({ of: 'failure', failure }),
        urlOf: (content) => URL.createObjectURL(content),
        forgetUrl: (url) => URL.revokeObjectURL(url),
      },
    });
    return { runner, expected, camera };
  }, [client, queue]);

  useEffect(() => {
    const lifetime = new AbortController();
    const { signal } = lifetime;
    const unfollow = [runner.follow(() => draw()), queue.follow(() => draw())];
    const onWarnings = (warnings: Parameters<typeof runner.warned>[0]): void => runner.warned(warnings);
    sender.current = runSender({ queue, api: senderCalls(client), onStopped: setStopped, onWarnings, onStore: setStoreWorks }, signal);
    const list = (query: ListQuery, stop: AbortSignal) => listForecasts(client, query, stop);
    const onChange = (): void => {
      runner.listChanged();
      draw();
    };
    void followExpected({ parcels: expected, list, platformTime: () => clock.now(), sleep, onChange }, signal);
    return () => {
      lifetime.abort();
      camera.stop();
      for (const each of unfollow) each();
    };
  }, [client, queue, clock, runner, expected, camera]);
  // The network is back: what waits goes at once.
  useEffect(() => {
    if (online) sender.current?.wake();
  }, [online]);
  useEffect(() => {
    if (online) runner.learnCarriers(() => listCarriers(client));
  }, [online, client, runner]);

  const [closeDialog, forgetRemark] = [() => setDialog(undefined), () => setRemark(undefined)];
  return { online, runner, expected, camera, cameraState, dialog, closeDialog, remark, forgetRemark, stopped, storeWorks };
}

/** What is said besides the bench: of printing, of a file, of a call that failed. */
function RemarkLine({ remark }: { readonly remark: Station['remark'] }) {
  const { t, sayFailure } = useWords();
  if (remark === undefined) return null;
  switch (remark.of) {
    case 'printing':
      return <p class="say">{fill(t.printing, t.commands[remark.kind])}</p>;
    case 'print-failed':
      return (
        <p class="say say-bad">
          {t.printFailed} {remark.failure !== undefined && `${sayFailure(remark.failure)} `}
          <TabLink href={remark.url} text={t.openInstead} />
        </p>
      );
    case 'not-a-picture':
      return <p class="say say-bad">{t.photos.notAPicture}</p>;
    case 'failure':
      return <p class="say say-bad">{sayFailure(remark.failure)}</p>;
  }
}

/** The bench: one screen, one field, and around it what lies on the bench. */
export function StationView({ signedIn }: { readonly signedIn: SignedIn }) {
  const { t } = useWords();
  const station = useStation(signedIn);
  const { online, runner, camera, cameraState, expected } = station;
  const { bench, recent } = runner;
  const { reports } = signedIn.queue;
  const { flow } = bench;
  const onReading = useCallback((reading: ScaleReading | undefined) => runner.dispatch({ type: 'reading', reading }), [runner]);
  const scale = useScale(onReading);
  useEffect(() => {
    document.title = `${t.title} · Parcelway`;
  }, [t]);

  const onLine = (text: string): void => {
    station.forgetRemark();
    runner.dispatch({ type: 'line', text });
  };
  // A scan while the reports are on view closes them: its parcel is what the user goes on with.
  useScanOver(station.dialog === 'reports', (scan) => {
    station.closeDialog();
    onLine(scan);
  });
  const onEscape = (): void => runner.dispatch({ type: 'escape' });
  const parcel = flow.at === 'saving' ? flow.parcel : flow.at === 'parcel' ? flow : undefined;
  const network = { online, reports, stopped: station.stopped, storeWorks: station.storeWorks };
  return (
    <>
      <StationBar>
        <NetworkState {...network} onOpen={() => onLine('R')} />
      </StationBar>
      <NetworkBanner {...network} />
      <main class={parcel === undefined ? 'bench' : 'bench bench-parcel'}>
        <div class="work">
          <CommandLine bench={bench} onLine={onLine} onEscape={onEscape}>
            <RemarkLine remark={station.remark} />
          </CommandLine>
          {flow.at === 'scan' && <IdlePanel expected={expected.size} onLine={onLine} />}
          {flow.at === 'looking' && <section class="panel idle" aria-busy="true" />}
          {flow.at === 'choose' && <ChoosePanel flow={flow} onLine={onLine} onEscape={onEscape} />}
          {flow.at === 'unclaimed' && <UnclaimedPanel flow={flow} recent={recent} onLine={onLine} onEscape={onEscape} />}
          {flow.at === 'unknown' && <UnknownPanel flow={flow} onLine={onLine} onEscape={onEscape} />}
          {parcel?.question?.ask === 'carrier' && bench.carriers.length > 0 && (
            <NumberedChoice label={t.questions.carrier} names={bench.carriers.slice(0, MAX_OFFERED)} onLine={onLine} />
          )}
          {parcel?.question?.ask === 'reason' && (
            <NumberedChoice label={t.questions.reason} names={reasonsInOrder.map((reason) => t.exceptionReasons[reason])} onLine={onLine} />
          )}
          {parcel && (
            <ParcelPanel
              flow={parcel}
              outdated={outdatedDocuments(bench, parcel.subject)}
              onLine={onLine}
              onSeen={() => runner.dispatch({ type: 'seen' })}
            />
          )}
        </div>
        <aside class="side">
          {parcel && (
            <>
              <Measure flow={parcel} reading={bench.reading} onCorrect={(what) => runner.dispatch({ type: 'correct', what })} />
              <Photos
                flow={parcel}
                camera={camera}
                cameraState={cameraState}
                onDrop={(photo) => runner.dispatch({ type: 'drop-photo', photo })}
                onLine={onLine}
              />
              <Actions flow={parcel} onLine={onLine} onEscape={onEscape} />
            </>
          )}
          {!parcel && <RecentReports recent={recent} reports={reports} />}
        </aside>
      </main>
      {station.dialog === 'reports' && <ReportsDialog queue={signedIn.queue} onClose={station.closeDialog} />}
      {station.dialog === 'scale' && <ScaleDialog scale={scale} onClose={station.closeDialog} />}
    </>
  );
}

import { TabLink } from '@parcelway/page/parts/button';
import { useCallback, useEffect } from 'preact/hooks';
import type { ScaleReading } from '../domain/bench.ts';
import { outdatedDocuments } from '../domain/corrections.ts';
import { failureText } from '../messages/failure-text.ts';
import { useWords } from '../messages/language.ts';
import type { SignedIn } from '../session/session.tsx';
import { CommandLine } from './command-line.tsx';
import { NetworkBanner, NetworkState } from './network.tsx';
import { CarrierChoice, ChoosePanel, IdlePanel, ReasonChoice, RecentReports, UnknownPanel } from './panels.tsx';
import { ParcelPanel } from './parcel-panel.tsx';
import { ReportsDialog } from './reports-dialog.tsx';
import { ScaleDialog, useScale } from './scale-dialog.tsx';
import { StationBar } from './sign-in-view.tsx';
import { UnclaimedPanel } from './unclaimed-panel.tsx';
import { type Station, useScanOver, useStation } from './use-station.ts';
import { Actions, Measure, Photos } from './work-panel.tsx';

/** What is said besides the bench: of printing, of a file, of a call that failed. */
function RemarkLine({ remark }: { readonly remark: Station['remark'] }) {
  const { t } = useWords();
  if (remark === undefined) return null;
  switch (remark.of) {
    case 'printing':
      return <p class="say">{t.printing(t.commands[remark.kind])}</p>;
    case 'print-failed':
      return (
        <p class="say say-bad">
          {t.printFailed} {remark.failure !== undefined && `${failureText(remark.failure, t.failures)} `}
          <TabLink href={remark.url} text={t.openInstead} />
        </p>
      );
    case 'not-a-picture':
      return <p class="say say-bad">{t.photos.notAPicture}</p>;
    case 'failure':
      return <p class="say say-bad">{failureText(remark.failure, t.failures)}</p>;
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
          {parcel?.question?.ask === 'carrier' && bench.carriers.length > 0 && <CarrierChoice carriers={bench.carriers} onLine={onLine} />}
          {parcel?.question?.ask === 'reason' && <ReasonChoice onLine={onLine} />}
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

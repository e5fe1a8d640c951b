import type { ReferenceLoad } from '../../capacity/works.ts';
import type { PlainMessage } from '../kafka-log.ts';
import { Uploader } from '../uploads.ts';
import type { Load } from './measure-load.ts';
import { asking } from './parcel-loads.ts';
import type { ReferenceName } from './references.ts';
import type { Rig } from './rig.ts';

/** A load of a reference, and the process that it is measured on. */
export interface ReferenceRun {
  readonly name: ReferenceLoad;
  readonly process: ReferenceName;
  readonly load: Load;
}

/** Requests a second that a bare server gets: it is cheap, and only many of them show what one costs. */
const BARE_PER_SECOND = 400;
const DOWNLOADS_PER_SECOND = 30;
const EVENTS_PER_SECOND = 100;
let counter = 0;

const none = async (): Promise<void> => undefined;

/** Uploads of one size at a steady rate, to a service or to a reference. */
export function uploading(client: Rig['merchant'], megabytes: number, rate: Pick<Load, 'perSecond' | 'count'>): Load {
  const uploader = new Uploader(megabytes);
  return { ...rate, act: () => uploader.uploadOne(client), settle: none };
}

/** Messages to a topic at a steady rate, until its consumer has finished them. */
function producing({ stage, references }: Rig, to: 'insert' | 'forward', count: number): Load {
  const { log } = stage;
  const { topic } = references.topics[to];
  const messageOf = (): PlainMessage => {
    counter += 1;
    // The receiver notes a po_number; six hundred bytes, as an event of the platform has.
    return { key: `bare-${counter}`, value: JSON.stringify({ data: { po_number: `BARE-${counter}` }, event: 'e'.repeat(560) }) };
  };
  return {
    perSecond: EVENTS_PER_SECOND,
    count,
    act: () => log.produce(topic, [messageOf()]),
    settle: () => log.finished(references.topics[to]),
  };
}

/** All references, each as loaded as what it is compared with. @param seconds of each */
export function referenceLoads(rig: Rig, seconds: number): readonly ReferenceRun[] {
  const { clients } = rig.references;
  const at = (perSecond: number): Pick<Load, 'perSecond' | 'count'> => ({ perSecond, count: Math.max(4, Math.round(perSecond * seconds)) });
  return [
    { name: 'http', process: 'http', load: asking(clients.http, at(BARE_PER_SECOND), ['/']) },
    { name: 'https', process: 'https', load: asking(clients.https, at(BARE_PER_SECOND), ['/']) },
    { name: 'download', process: 'download', load: asking(clients.download, at(DOWNLOADS_PER_SECOND), ['/']) },
    { name: 'storedMegabyte', process: 'upload', load: uploading(clients.upload, 1, at(10)) },
    { name: 'storedTen', process: 'upload', load: uploading(clients.upload, 10, at(2)) },
    { name: 'insert', process: 'insert', load: producing(rig, 'insert', at(EVENTS_PER_SECOND).count) },
    { name: 'forward', process: 'forward', load: producing(rig, 'forward', at(EVENTS_PER_SECOND).count) },
  ];
}

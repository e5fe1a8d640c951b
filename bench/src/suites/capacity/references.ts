import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { type Child, startScript } from '../../child-server.ts';
import type { DistributedStage } from '../../distributed-stage.ts';
import type { RawClient } from '../../raw-client.ts';

const INSERT_TOPIC = 'bench.insert';
const FORWARD_TOPIC = 'bench.forward';
const CONNECTIONS = 50;
/** Bytes of a response of the API, roughly. */
const RESPONSE_BYTES = '600';

/** What each reference is called in the report. */
export const referenceNames = {
  http: 'node:http, constant response',
  https: 'node:https, constant response',
  download: 'node:https, constant 1 MB',
  upload: 'node:https, stream to a synced file',
  insert: 'kafkajs eachMessage, insertOne',
  forward: 'kafkajs eachMessage, POST',
} as const;

/** Name of a reference. */
export type ReferenceName = keyof typeof referenceNames;

/** The least that one can do instead of a service, as processes of their own. */
export interface References {
  readonly pids: Readonly<Record<ReferenceName, number>>;
  readonly clients: Readonly<Record<'http' | 'https' | 'download' | 'upload', RawClient>>;
  /** Topics that the consumers among them read, and their groups. */
  readonly topics: Readonly<Record<'insert' | 'forward', { readonly group: string; readonly topic: string }>>;
  stop(): Promise<void>;
}

/** Starts all of them. */
export async function startReferences(stage: DistributedStage): Promise<References> {
  const { certFile, keyFile, log, receiver } = stage;
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  const started: Child<unknown>[] = [];
  const start = async <Info>(script: string, args: readonly string[]): Promise<Child<Info>> => {
    const child = await startScript<Info>(`processes/${script}.js`, args);
    started.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((child) => child.stop()));
    rmSync(directory, { recursive: true, force: true });
  };
  const group = 'bench-reference';
  const groupOf = (topic: string): string => log.nameOf(`${group}.${topic}`);
  try {
    await log.makeTopic(INSERT_TOPIC);
    await log.makeTopic(FORWARD_TOPIC);
    const servers = {
      http: await start<{ origin: string }>('constant-server', [RESPONSE_BYTES]),
      https: await start<{ origin: string }>('constant-server', [RESPONSE_BYTES, certFile, keyFile]),
      download: await start<{ origin: string }>('constant-server', ['1000000', certFile, keyFile]),
      upload: await start<{ origin: string }>('upload-server', [certFile, keyFile, directory]),
    };
    const insert = await start('kafka-inserter', [log.nameOf(INSERT_TOPIC), groupOf(INSERT_TOPIC), String(PARTITIONS)]);
    const forward = await start('kafka-forwarder', [
      log.nameOf(FORWARD_TOPIC),
      receiver.origin,
      String(PARTITIONS),
      groupOf(FORWARD_TOPIC),
    ]);
    const clientOf = ({ info }: Child<{ origin: string }>): RawClient => stage.referenceClient(info.origin, CONNECTIONS);
    const { http, https, download, upload } = servers;
    return {
      pids: {
        http: http.pid,
        https: https.pid,
        download: download.pid,
        upload: upload.pid,
        insert: insert.pid,
        forward: forward.pid,
      },
      clients: { http: clientOf(http), https: clientOf(https), download: clientOf(download), upload: clientOf(upload) },
      topics: { insert: { group, topic: INSERT_TOPIC }, forward: { group, topic: FORWARD_TOPIC } },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

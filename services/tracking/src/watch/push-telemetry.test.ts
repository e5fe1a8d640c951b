import { beforeEach, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { type RecordingTelemetry, recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { connectionOf } from '../testing/samples.ts';
import { PushTelemetry } from './push-telemetry.ts';

const connection = connectionOf();

let telemetry: RecordingTelemetry;
let pushes: PushTelemetry;
beforeEach(() => {
  telemetry = recordingTelemetry();
  pushes = new PushTelemetry(telemetry.of('tracking'));
});
const outcomes = () => telemetry.recorded('parcelway_source_pushes_total').map(([{ outcome }]) => outcome);

test('a push that failed is counted by what was wrong', () => {
  for (const code of ['40003', '40001', '41301', '50301'] as const) pushes.failed(connection, new AppError(code));
  expect(outcomes()).toEqual(['refused', 'unreadable', 'unreadable', 'busy']);
  pushes.failed(connection, new AppError('40402'));
  pushes.failed(connection, new Error('a defect'));
  expect(outcomes()).toHaveLength(4);
});

import { runService } from '@parcelway/platform/run-service';
import { webhookService } from './service.ts';

await runService(webhookService, process.env);

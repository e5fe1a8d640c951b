import { runService } from '@parcelway/platform/run-service';
import { trackingService } from './service.ts';

await runService(trackingService, process.env);

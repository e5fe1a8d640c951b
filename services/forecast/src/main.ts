import { runService } from '@parcelway/platform/run-service';
import { forecastService } from './service.ts';

await runService(forecastService, process.env);

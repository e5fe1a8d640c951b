import { runService } from '@parcelway/platform/run-service';
import { gatewayService } from './service.ts';

await runService(gatewayService, process.env);

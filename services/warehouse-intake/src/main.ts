import { runService } from '@parcelway/platform/run-service';
import { warehouseIntakeService } from './service.ts';

await runService(warehouseIntakeService, process.env);

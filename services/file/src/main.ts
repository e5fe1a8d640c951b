import { runService } from '@parcelway/platform/run-service';
import { fileService } from './service.ts';

await runService(fileService, process.env);

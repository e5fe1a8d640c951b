import type { PublicServiceDefinition, ServiceDefinition } from '@parcelway/platform/service';
import { fileService } from '@parcelway/service-file/service';
import { forecastService } from '@parcelway/service-forecast/service';
import { gatewayService } from '@parcelway/service-gateway/service';
import { trackingService } from '@parcelway/service-tracking/service';
import { warehouseIntakeService } from '@parcelway/service-warehouse-intake/service';
import { webhookService } from '@parcelway/service-webhook/service';

export const gateway: PublicServiceDefinition = gatewayService;

export const backServices: readonly ServiceDefinition[] = [
  forecastService,
  fileService,
  warehouseIntakeService,
  trackingService,
  webhookService,
];

/** Indexes by which the data of a tenant is found; one entry of the service's migrations. */
export const tenantIndexes = `
  CREATE INDEX forecasts_of_tenant ON forecasts (tenant_id, forecast_no) WHERE tenant_id IS NOT NULL;
  CREATE INDEX view_of_tenant ON view_forecasts (tenant_id, forecast_no);
  CREATE INDEX events_of_forecast ON events (published_to) WHERE published_to IS NOT NULL;
  CREATE INDEX resolutions_of_forecast ON resolutions (forecast_no) WHERE forecast_no IS NOT NULL`;

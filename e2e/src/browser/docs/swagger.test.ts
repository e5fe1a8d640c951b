import { expect, test } from '@jest/globals';
import { useDocs } from './use-docs.ts';

/* The OpenAPI document in Swagger UI, as a reader finds it. */

const { stage, open } = useDocs();

test('fills in requests that work', async () => {
  const { page } = await open('/docs/openapi');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page
    .getByLabel('auth-api-key-value')
    .or(page.locator('.auth-container input'))
    .first()
    .fill(stage.platform.quickstart.tenant.api_key);
  await page.locator('.auth-btn-wrapper .authorize').click();
  await page.locator('.btn-done').click();
  for (const [id, status] of [
    ['submitForecast', '200'],
    ['listForecasts', '200'],
  ] as const) {
    const operation = page.locator(`[id$="-${id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: status }).first().waitFor();
    expect(await operation.locator('.live-responses-table .highlight-code').first().textContent()).toContain('PO-2025-1121-001');
  }
});

test('its former address leads there', async () => {
  const { page } = await open('/docs#/Forecasts/submitForecast');
  await page.waitForURL('**/docs/openapi#/Forecasts/submitForecast');
  await page.locator('[id$="-submitForecast"]').waitFor();
});

test('leads to the documentation', async () => {
  const { page } = await open('/docs/openapi', { width: 390 });
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
});

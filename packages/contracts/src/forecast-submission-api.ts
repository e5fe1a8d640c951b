import Type, { type Static } from 'typebox';
import { HS_CODE_PATTERN } from './hs-code.ts';
import { titled } from './object.ts';
import { poNumber } from './po-number.ts';
import { day, httpsUrl, identifier, instant, logisticsNumber, text, visibleText, warehouseCode, webUrl } from './text.ts';
import { Warning } from './warnings.ts';

const declaredCentimetres = (name: string) =>
  Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 10000, description: `${name} of one piece in cm, as the merchant declares it` }),
  );

/** A line item of a forecast. */
export const ForecastItem = titled('ForecastItem', 'Forecast item', {
  sku_code: identifier(1, 100, 'Stock keeping unit'),
  barcode: Type.Optional(identifier(0, 64, 'Barcode of the product')),
  product_name_en: visibleText(200, 'Product name in English'),
  product_name_cn: Type.Optional(text(0, 500, 'Product name in Chinese')),
  product_image: Type.Optional(webUrl('Image URL of the product')),
  forecast_quantity: Type.Integer({ minimum: 1, maximum: 500000, description: 'Number of pieces' }),
  forecast_price: Type.Optional(
    Type.Number({ minimum: 0, maximum: 99999999.9999, multipleOf: 0.0001, description: 'Declared unit price, at most 4 decimals' }),
  ),
  // hs-code.ts says what is allowed and how it is stored.
  hs_code: Type.Optional(Type.String({ maxLength: 40, pattern: HS_CODE_PATTERN, description: 'Harmonised System code, 6 to 13 digits' })),
  tracking_number: Type.Optional(
    logisticsNumber(
      'Logistics number. Compared in upper case without spaces, hyphens and invisible characters; unique among live type 2 forecasts',
    ),
  ),
  declared_weight_kg: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 100000, description: 'Weight of one piece in kg, as the merchant declares it' }),
  ),
  declared_length_cm: declaredCentimetres('Length'),
  declared_width_cm: declaredCentimetres('Width'),
  declared_height_cm: declaredCentimetres('Height'),
});
export type ForecastItem = Static<typeof ForecastItem>;

/** 1 = stock replenishment, 2 = direct-mail labelling. */
export const forecastTypes = [1, 2] as const;

/** Body of a submission. Type 2, the default, also needs both PDF URLs. */
export const ForecastSubmission = Type.Object(
  {
    po_number: poNumber,
    forecast_type: Type.Optional(
      Type.Integer({ enum: [...forecastTypes], default: 2, description: '1 = stock replenishment, 2 = direct-mail labelling' }),
    ),
    warehouse_code: warehouseCode('Destination warehouse; see the list of warehouses'),
    due_date: Type.Optional(day('Expected arrival, YYYY-MM-DD, in the years 2000 to 2100')),
    shipping_label: Type.Optional(httpsUrl('URL of the shipping label from the upload endpoint. Required for type 2')),
    shipping_note: Type.Optional(httpsUrl('URL of the packing list from the upload endpoint. Required for type 2')),
    carton_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10000, description: 'Number of cartons' })),
    items: Type.Array(ForecastItem, { minItems: 1, maxItems: 2000, description: 'Line items' }),
  },
  {
    $id: 'ForecastSubmission',
    title: 'Forecast submission',
    // Also when forecast_type is absent, but not when it is wrong: then nobody knows which files are meant.
    if: { properties: { forecast_type: { const: 2 } } },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { required: ['shipping_label', 'shipping_note'] },
  },
);
export type ForecastSubmission = Static<typeof ForecastSubmission>;

/** `data` of an accepted submission. */
export const ForecastAcceptance = titled('ForecastAcceptance', 'Forecast acceptance result', {
  forecast_no: Type.String({ description: 'Forecast number given by the platform' }),
  po_number: Type.String(),
  item_count: Type.Integer({ description: 'Number of items accepted' }),
  status: Type.Literal('ACCEPTED'),
  create_time: instant('When the forecast was accepted'),
  warnings: Type.Array(Warning, { description: 'At most 100 of the body and 20 of the query; empty when there is nothing to say' }),
});
export type ForecastAcceptance = Static<typeof ForecastAcceptance>;

/** A dashboard is 24 columns wide. */
const COLUMNS = 24;

const datasource = { type: 'prometheus', uid: '$datasource' };

const steps = (thresholds: Thresholds) => ({
  mode: 'absolute',
  steps: [{ color: thresholds[0], value: null }, ...thresholds.slice(1).map(([value, color]) => ({ color, value }))],
});

const targetsOf = (queries: readonly Query[], more: object) =>
  queries.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource,
    editorMode: 'code',
    expr,
    legendFormat,
    ...more,
  }));

/** A query and the legend of its series. */
export type Query = readonly [expr: string, legend: string];

/** A colour from below, then the values from which on another holds. */
type Thresholds = readonly [string, ...(readonly [value: number, color: string])[]];

/** A panel before it has its place. */
interface UnplacedPanel {
  readonly type: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly targets: readonly { readonly expr: string }[];
}

/** Where a panel is, in columns and rows of the grid. */
export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A panel of a dashboard, or the heading of a row. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: GridPosition;
  readonly targets?: readonly { readonly expr: string }[];
  /** Of the heading of a row. */
  readonly collapsed?: boolean;
  readonly panels?: readonly Panel[];
}

/**
 * Curves over time.
 * @param options `limit` draws
 *   a red line, where an alert fires
 */
export function curves(
  title: string,
  queries: readonly Query[],
  {
    unit = 'short',
    width = 8,
    description = '',
    stacked = false,
    limit,
    max,
  }: { unit?: string; width?: number; description?: string; stacked?: boolean; limit?: number; max?: number } = {},
) {
  return {
    type: 'timeseries',
    title,
    description,
    width,
    height: 8,
    datasource,
    targets: targetsOf(queries, { range: true }),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max === undefined ? {} : { max }),
        color: { mode: 'palette-classic' },
        custom: {
          drawStyle: 'line',
          lineWidth: 1,
          fillOpacity: stacked ? 30 : 8,
          showPoints: 'never',
          spanNulls: false,
          stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
          thresholdsStyle: { mode: limit === undefined ? 'off' : 'line' },
        },
        ...(limit === undefined ? {} : { thresholds: steps(['transparent', [limit, 'red']]) }),
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  };
}

/**
 * One figure, or one for each series.
 *   `thresholds`: the colour from below, then the values from which on another holds
 */
export function figure(
  title: string,
  query: Query,
  {
    unit = 'short',
    width = 4,
    description = '',
    thresholds,
    decimals,
  }: { unit?: string; width?: number; description?: string; thresholds: [string, ...[number, string][]]; decimals?: number },
) {
  return {
    type: 'stat',
    title,
    description,
    width,
    height: 5,
    datasource,
    targets: targetsOf([query], { range: false, instant: true }),
    fieldConfig: {
      defaults: { unit, ...(decimals === undefined ? {} : { decimals }), color: { mode: 'thresholds' }, thresholds: steps(thresholds) },
      overrides: [],
    },
    options: {
      colorMode: 'background',
      graphMode: 'none',
      textMode: 'auto',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    },
  };
}

/**
 * A table with a row for each series.
 * @param options the labels that are shown, in order
 */
export function table(
  title: string,
  expr: string,
  { unit = 'short', width = 12, description = '', columns }: { unit?: string; width?: number; description?: string; columns: string[] },
) {
  return {
    type: 'table',
    title,
    description,
    width,
    height: 8,
    datasource,
    targets: targetsOf([[expr, '']], { range: false, instant: true, format: 'table' }),
    fieldConfig: { defaults: { unit, custom: { align: 'auto', filterable: true } }, overrides: [] },
    options: { showHeader: true, cellHeight: 'sm' },
    transformations: [{ id: 'filterFieldsByName', options: { include: { names: [...columns, 'Value'] } } }],
  };
}

/** Puts the panels of a row side by side, as many as fit. */
function laidOut(panels: readonly UnplacedPanel[], top: number) {
  let x = 0;
  let y = top;
  let lineHeight = 0;
  const placed = panels.map(({ width, height, ...panel }) => {
    if (x + width > COLUMNS) {
      x = 0;
      y += lineHeight;
      lineHeight = 0;
    }
    const gridPos = { x, y, w: width, h: height };
    x += width;
    lineHeight = Math.max(lineHeight, height);
    return { ...panel, gridPos };
  });
  return { placed, bottom: y + lineHeight };
}

const variable = (more: object) => ({ hide: 0, skipUrlSync: false, options: [], ...more });

const variables = [
  variable({ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', regex: '', current: {}, refresh: 1 }),
  variable({
    name: 'namespace',
    label: 'Environment',
    type: 'query',
    datasource,
    query: { query: 'label_values(parcelway_ready, namespace)', refId: 'namespace' },
    definition: 'label_values(parcelway_ready, namespace)',
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    // Outside Kubernetes the label is empty: that has to match too.
    allValue: '.*',
    current: { selected: true, text: 'All', value: '$__all' },
  }),
];

/** A dashboard in the JSON of Grafana. */
export function dashboard({
  uid,
  title,
  description,
  rows,
}: {
  uid: string;
  title: string;
  description: string;
  rows: readonly (readonly [string, readonly UnplacedPanel[]])[];
}) {
  let y = 0;
  const panels: Omit<Panel, 'id'>[] = [];
  for (const [name, ofRow] of rows) {
    panels.push({ type: 'row', title: name, collapsed: false, panels: [], gridPos: { x: 0, y, w: COLUMNS, h: 1 } });
    const { placed, bottom } = laidOut(ofRow, y + 1);
    panels.push(...placed);
    y = bottom;
  }
  return {
    uid,
    title,
    description,
    tags: ['parcelway'],
    schemaVersion: 41,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    links: [
      {
        type: 'dashboards',
        title: 'Parcelway',
        tags: ['parcelway'],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
        icon: 'external link',
      },
    ],
    annotations: { list: [] },
    templating: { list: variables },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

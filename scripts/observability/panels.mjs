/** A dashboard is 24 columns wide. */
const COLUMNS = 24;

const datasource = { type: 'prometheus', uid: '$datasource' };

const steps = (thresholds) => ({
  mode: 'absolute',
  steps: [{ color: thresholds[0], value: null }, ...thresholds.slice(1).map(([value, color]) => ({ color, value }))],
});

const targetsOf = (queries, more) =>
  queries.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource,
    editorMode: 'code',
    expr,
    legendFormat,
    ...more,
  }));

/**
 * A query and the legend of its series.
 * @typedef {[expr: string, legend: string]} Query
 */

/**
 * Curves over time.
 * @param {string} title
 * @param {Query[]} queries
 * @param {{ unit?: string, width?: number, description?: string, stacked?: boolean, limit?: number, max?: number }} [options] `limit` draws
 *   a red line, where an alert fires
 */
export function curves(title, queries, { unit = 'short', width = 8, description = '', stacked = false, limit, max } = {}) {
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
 * @param {string} title
 * @param {Query} query
 * @param {{ unit?: string, width?: number, description?: string, thresholds: [string, ...[number, string][]], decimals?: number }} options
 *   `thresholds`: the colour from below, then the values from which on another holds
 */
export function figure(title, query, { unit = 'short', width = 4, description = '', thresholds, decimals }) {
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
 * @param {string} title
 * @param {string} expr
 * @param {{ unit?: string, width?: number, description?: string, columns: string[] }} options the labels that are shown, in order
 */
export function table(title, expr, { unit = 'short', width = 12, description = '', columns }) {
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
function laidOut(panels, top) {
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

const variable = (more) => ({ hide: 0, skipUrlSync: false, options: [], ...more });

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

/**
 * A dashboard in the JSON of Grafana.
 * @param {{ uid: string, title: string, description: string, rows: [string, object[]][] }} dashboard
 */
export function dashboard({ uid, title, description, rows }) {
  let y = 0;
  const panels = [];
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

import type { Directory } from '../expected/directory-store.ts';
import type { DecideView } from '../expected/domain/decide-view.ts';

/** Changes what warehouses are shown of one forecast. */
export async function changeForecast(directory: Directory, forecastNo: string, view: DecideView): Promise<void> {
  await directory.change(new Map([[forecastNo, { view }]]));
}

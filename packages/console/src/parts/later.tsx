import { ApiFailure } from '@parcelway/page/api/failure';
import type { ComponentType } from 'preact';
import { useLoad } from '../data/use-load.ts';
import { FailureNotice } from './failure-notice.tsx';
import { Skeleton } from './skeleton.tsx';

/** A view whose script is loaded when it is shown for the first time. @param load imports the script and resolves with the view */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => preact.JSX.Element | null {
  const loadOrFail = async (): Promise<ComponentType<Props>> => {
    try {
      return await load();
    } catch {
      // The browser does not say why: there is no network, or the platform has another version of the page by now.
      throw new ApiFailure('offline');
    }
  };
  return function Later(props) {
    const { data: View, failure, reload } = useLoad('script', loadOrFail);
    if (View !== undefined) return <View {...props} />;
    return failure === undefined ? <Skeleton rows={8} /> : <FailureNotice failure={failure} onRetry={reload} />;
  };
}

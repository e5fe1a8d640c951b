import { wordsOf } from '@parcelway/page/languages';
import en from './en.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

export const words = wordsOf({ en, zh });
export type Messages = typeof words.en;
export type NoticeKey = keyof Messages['notices'];

import type { Localized, Named } from '../languages.ts';

/** Words that the pages share. */
export const commonWords = {
  language: ['Language', '语言'],
  skip: ['Skip to content', '跳到正文'],
  signOut: ['Sign out', '退出'],
  statuses: {
    1: ['Accepted', '已受理'],
    2: ['Arrived', '已到仓'],
    3: ['Weighed', '已称重'],
    4: ['Processing', '处理中'],
    5: ['Shipped', '已发货'],
    6: ['Completed', '已完成'],
    7: ['Cancelled', '已取消'],
  } as Named<number>,
  environments: { sandbox: ['Sandbox', '沙箱环境'], production: ['Production', '生产环境'] },
  common: {
    copied: ['Copied', '已复制'],
    notCopied: ['The browser does not allow copying. Select the text and copy it manually.', '浏览器不允许复制，请选中文本后自行复制。'],
    copyOf: [(what: string) => `Copy ${what}`, (what: string) => `复制${/^[a-z0-9]/i.test(what) ? ' ' : ''}${what}`],
    cancel: ['Cancel', '取消'],
    close: ['Close', '关闭'],
    secretSaved: ['I have saved it', '我已保存'],
    retry: ['Try again', '重试'],
    refresh: ['Refresh', '刷新'],
    more: ['Load more', '加载更多'],
    loading: ['Loading…', '加载中…'],
    working: ['Working…', '处理中…'],
    status: ['Status', '状态'],
    back: ['Back', '返回'],
    signIn: ['Sign in', '登录'],
    unknownPage: ['Page not found', '页面不存在'],
  },
  failures: {
    offline: ['Cannot reach the platform. Check your connection, then try again.', '无法连接到平台。请检查网络后重试。'],
    timeout: ['The platform did not respond in time. Try again.', '平台未能及时响应，请重试。'],
    notFound: ['Not found. It may have been deleted.', '该内容不存在，或已被删除。'],
    conflict: ['The current state does not allow this.', '当前状态不允许此操作。'],
    fields: ['Some fields have invalid values:', '以下字段的值无效：'],
    fieldsMarked: ['Some fields have invalid values. They are marked.', '部分字段的值无效，已在表单中标出。'],
    unavailable: ['Part of the platform is temporarily unavailable. Try again shortly.', '平台的部分服务暂时不可用，请稍后重试。'],
    other: ['The request failed.', '请求失败。'],
    request: ['Request ID', '请求 ID'],
  },
} as const;

export type SignInWords = Readonly<Record<'title' | 'lead' | 'key' | 'shape' | 'show' | 'hint', string>>;

export interface CommonMessages extends Localized<typeof commonWords> {
  readonly nav: { readonly label: string };
  readonly signIn: SignInWords;
}

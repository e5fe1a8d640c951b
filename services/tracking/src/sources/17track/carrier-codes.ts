import { carrierCodes } from '../fields.ts';

/**
 * 17TRACK's numbers of common carriers (its list `apicarrier.all.json`, README.md). A name that several carriers of
 * the list share, such as "dhl" or "dpd", is left out.
 */
export const carrierCodeOf17Track = carrierCodes(
  '4px:190094 anjun:190047 anpost:9051 aramex:100006 asendiausa:100016 australiapost:1151 austrianpost:1161 bpost:2061 bring:100423 ' +
    'cainiao:190271 canadapost:3041 chinaems:3013 chinapost:3011 chronopost:100273 cne:190208 colissimo:6051 deutschepost:7044 ' +
    'dhlecommerceasia:7048 dhlecommercecn:100765 dhlecommerceus:7047 dhlexpress:100001 dhlpaket:7041 dpdde:100007 dpdfr:100072 ' +
    'dpdpl:100111 dpduk:100010 equick:190136 evri:100331 fedex:100003 gls:100005 gofo:100996 gofoexpress:100996 hongkongpost:8011 ' +
    'inpostpl:100043 japanpost:10021 jcex:190120 laposte:6051 mondialrelay:100304 ontrac:100049 parcelforce:11033 posteitaliane:9071 ' +
    'postnl:14041 purolator:100042 royalmail:11031 sf:100012 sfexpress:100012 singaporepost:19131 speedx:190844 sunyou:190072 ' +
    'swisspost:19251 tnt:100004 ubi:190112 uniuni:100134 ups:100002 usps:21051 veho:101068 wanb:190086 winit:190284 yanwen:190012 ' +
    'yodel:100017 yunexpress:190008',
);

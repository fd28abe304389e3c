/* Style and scripts of the pages: the files of report/assets, made into texts when the library is
 * configured. */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H

typedef struct asset {
    const char *text;
    const char *hash; /* of the text, for a page's policy: "sha256-" and the hash in base 64 */
} asset;

extern const asset asset_style;    /* style.css */
extern const asset asset_pictures; /* pictures.js */
extern const asset asset_replay;   /* replay.js, to be put after it */
extern const asset asset_report;   /* report.js */

#endif

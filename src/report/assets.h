/* Style and scripts of the pages: the files of src/report/assets, made into texts when the library is
 * configured. */
#ifndef REPORT_ASSETS_H
#define REPORT_ASSETS_H

extern const char asset_style[];    /* style.css */
extern const char asset_pictures[]; /* pictures.js */
extern const char asset_replay[];   /* replay.js, to be put after it */
extern const char asset_report[];   /* report.js */

#endif

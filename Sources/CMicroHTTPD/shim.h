#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>

// MHD_get_connection_info is variadic, which Swift cannot call.
static inline size_t serving_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
static inline int serving_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// So are MHD_set_connection_option and MHD_upgrade_action.
static inline void serving_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
static inline void serving_end_upgrade(struct MHD_UpgradeResponseHandle *upgrade) {
    MHD_upgrade_action(upgrade, MHD_UPGRADE_ACTION_CLOSE);
}

#endif

#include "net/gate/address.h"

#include "net/gate/connection.h"

void address_of(struct lws *wsi, char out[NETWORK_ADDRESS_MAX])
{
    const struct connection *connection = connection_of(wsi);

    out[0] = '\0';
    if (connection != NULL) {
        ip_write(&connection->address, out);
    }
}

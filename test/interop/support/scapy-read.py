"""Reads a JSON list of hexadecimal Ethernet frames with scapy, and prints a JSON list of their fields.

"icrc" is the ICRC in the packet, "computed" the one that scapy computes for it, both as bytes on the wire.
"""
import json
import sys

from scapy.contrib.roce import AETH, BTH, CNPPadding
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether

FIELDS = {
    Dot1Q: ("prio", "vlan", "type"),
    IP: ("version", "ihl", "tos", "len", "id", "flags", "frag", "ttl", "proto", "chksum", "src", "dst"),
    IPv6: ("version", "tc", "fl", "plen", "nh", "hlim", "src", "dst"),
    UDP: ("sport", "dport", "len", "chksum"),
    BTH: ("opcode", "solicited", "migreq", "padcount", "version", "pkey", "fecn", "becn", "resv6", "dqpn", "ackreq", "resv7", "psn"),
    AETH: ("syndrome", "msn"),
    CNPPadding: ("reserved1", "reserved2"),
}


def plain(value):
    return value if isinstance(value, str) else int(value)


def read(octets):
    packet = Ether(octets)
    found = {"Ether": {name: getattr(packet, name) for name in ("dst", "src", "type")}}
    for layer, names in FIELDS.items():
        if packet.haslayer(layer):
            found[layer.__name__] = {name: plain(getattr(packet[layer], name)) for name in names}
    if packet.haslayer(BTH):
        bth = packet[BTH]
        found["payload"] = bytes(bth.payload).hex()
        found["icrc"] = bth.icrc.to_bytes(4, "big").hex()
        again = packet.copy()
        del again[BTH].icrc
        found["computed"] = bytes(again)[-4:].hex()
    return found


json.dump([read(bytes.fromhex(frame)) for frame in json.load(sys.stdin)], sys.stdout)

"""Prints JSON with "opcodes", scapy's names by number, and "packets" that scapy builds: Ethernet frames in hexadecimal
with the fields that they were built from.

"knowsIcrc" is true if this version of scapy computes the ICRC over that IP version; otherwise it writes zeros.
"""
import json
import sys

from scapy.contrib.roce import AETH, BTH, cnp
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

LINK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
CARRIERS = {
    "IPv4": LINK / IP(src="10.0.17.1", dst="10.0.18.1", tos=0xC2, id=0x718C, flags="DF", ttl=64),
    "IPv4 with CE and another TTL": LINK / IP(src="192.0.2.9", dst="198.51.100.7", tos=0x6B, id=1, ttl=1),
    "a VLAN tag and IPv4": LINK / Dot1Q(prio=6, vlan=1234) / IP(src="10.1.2.3", dst="10.3.2.1"),
    "IPv6": LINK / IPv6(src="2001:db8::1", dst="2001:db8:ffff::2", tc=0xC1, fl=0xABCDE, hlim=3),
}


def fields(layer, names):
    return {name: int(getattr(layer, name)) for name in names}


def described(title, carrier, roce):
    frame = bytes(CARRIERS[carrier] / UDP(sport=49152 + len(title), dport=4791, chksum=0) / roce)
    names = ("opcode", "solicited", "migreq", "padcount", "version", "pkey", "fecn", "becn", "resv6", "dqpn", "ackreq", "resv7",
             "psn")
    return {
        "title": f"{title} over {carrier}",
        "frame": frame.hex(),
        "fields": fields(roce, names),
        "aeth": fields(roce[AETH], ("syndrome", "msn")) if roce.haslayer(AETH) else None,
        "knowsIcrc": carrier != "IPv6" or frame[-4:] != bytes(4),
    }


def packets():
    for carrier in CARRIERS:
        yield described("the CNP of its helper", carrier, cnp(dqpn=0x118))
        yield described("an acknowledgement", carrier, BTH(opcode=0x11, dqpn=0xFFFFFF, psn=0x800001) / AETH(syndrome=0x1F, msn=0xABCDEF))
        yield described("a NAK", carrier, BTH(opcode=0x11, dqpn=7, psn=9, pkey=0x8001) / AETH(syndrome=0x60, msn=1))
        for number in (0x04, 0x24, 0x64):
            roce = BTH(opcode=number, solicited=1, migreq=1, padcount=3, pkey=0x7FFF, fecn=1, becn=1, resv6=0x2A, dqpn=0x123456,
                       ackreq=1, resv7=0x55, psn=0x654321) / Raw(bytes(range(200, 225)) + bytes(3))
            yield described(f"opcode {number:#x} with every field set", carrier, roce)


json.dump({"opcodes": BTH.fields_desc[0].i2s, "packets": list(packets())}, sys.stdout)

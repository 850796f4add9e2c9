package parts

import (
	"strings"
)

// commonZones are offered where a time zone is asked for.
var commonZones = strings.Fields(`
	UTC
	Africa/Cairo Africa/Casablanca Africa/Johannesburg Africa/Lagos Africa/Nairobi
	America/Argentina/Buenos_Aires America/Bogota America/Chicago America/Denver America/Havana America/Lima America/Los_Angeles
	America/Mexico_City America/New_York America/Santiago America/Sao_Paulo America/Toronto America/Vancouver
	Asia/Almaty Asia/Baku Asia/Bangkok Asia/Colombo Asia/Dhaka Asia/Dubai Asia/Ho_Chi_Minh Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem
	Asia/Karachi Asia/Kathmandu Asia/Kolkata Asia/Manila Asia/Riyadh Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Taipei Asia/Tashkent
	Asia/Tehran Asia/Tokyo Asia/Ulaanbaatar Asia/Yerevan
	Australia/Melbourne Australia/Perth Australia/Sydney
	Europe/Amsterdam Europe/Athens Europe/Belgrade Europe/Berlin Europe/Brussels Europe/Bucharest Europe/Budapest Europe/Copenhagen
	Europe/Helsinki Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London Europe/Madrid Europe/Minsk Europe/Moscow Europe/Oslo
	Europe/Paris Europe/Prague Europe/Riga Europe/Rome Europe/Sofia Europe/Stockholm Europe/Tallinn Europe/Vienna Europe/Vilnius
	Europe/Warsaw Europe/Zagreb Europe/Zurich
	Pacific/Auckland Pacific/Honolulu`)

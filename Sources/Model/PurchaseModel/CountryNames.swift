/// Converts English names of countries to their two-letter codes: `United States` → `US`.
///
/// Analytics tools and databases write names. Only the App Store's countries are known.
enum CountryNames {
  /// Returns the code for a name, in upper or lower case; `nil` for any other text.
  static func alpha2(of name: String) -> String? {
    name.utf8.count > 3 ? codes[name.lowercased()] : nil
  }

  private static let codes: [String: String] = {
    var codes: [String: String] = [:]
    for entry in names.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
      let words = entry.split(separator: " ")
      guard let code = words.last else { continue }
      codes[words.dropLast().joined(separator: " ").lowercased()] = String(code)
    }
    return codes
  }()
}

/// The names of the App Store's countries, each followed by its code.
private let names = """
  Afghanistan AF; Albania AL; Algeria DZ; Angola AO; Anguilla AI; Antigua and Barbuda AG;
  Argentina AR; Armenia AM; Australia AU; Austria AT; Azerbaijan AZ; Bahamas BS; Bahrain BH;
  Bangladesh BD; Barbados BB; Belarus BY; Belgium BE; Belize BZ; Benin BJ; Bermuda BM; Bhutan BT;
  Bolivia BO; Bosnia and Herzegovina BA; Botswana BW; Brazil BR; British Virgin Islands VG;
  Brunei BN; Brunei Darussalam BN; Bulgaria BG; Burkina Faso BF; Cambodia KH; Cameroon CM;
  Canada CA; Cape Verde CV; Cabo Verde CV; Cayman Islands KY; Chad TD; Chile CL; China CN;
  China mainland CN; Colombia CO; Congo CG; Republic of the Congo CG;
  Democratic Republic of the Congo CD; Costa Rica CR; Cote d'Ivoire CI; Côte d'Ivoire CI;
  Ivory Coast CI; Croatia HR; Cyprus CY; Czechia CZ; Czech Republic CZ; Denmark DK; Dominica DM;
  Dominican Republic DO; Ecuador EC; Egypt EG; El Salvador SV; Estonia EE; Eswatini SZ;
  Swaziland SZ; Fiji FJ; Finland FI; France FR; Gabon GA; Gambia GM; Georgia GE; Germany DE;
  Ghana GH; Greece GR; Grenada GD; Guatemala GT; Guinea-Bissau GW; Guyana GY; Honduras HN;
  Hong Kong HK; Hungary HU; Iceland IS; India IN; Indonesia ID; Iraq IQ; Ireland IE; Israel IL;
  Italy IT; Jamaica JM; Japan JP; Jordan JO; Kazakhstan KZ; Kenya KE; Korea KR;
  Republic of Korea KR; South Korea KR; Kosovo XK; Kuwait KW; Kyrgyzstan KG; Laos LA; Latvia LV;
  Lebanon LB; Liberia LR; Libya LY; Lithuania LT; Luxembourg LU; Macau MO; Macao MO;
  Madagascar MG; Malawi MW; Malaysia MY; Maldives MV; Mali ML; Malta MT; Mauritania MR;
  Mauritius MU; Mexico MX; Micronesia FM; Moldova MD; Mongolia MN; Montenegro ME; Montserrat MS;
  Morocco MA; Mozambique MZ; Myanmar MM; Namibia NA; Nauru NR; Nepal NP; Netherlands NL;
  The Netherlands NL; New Zealand NZ; Nicaragua NI; Niger NE; Nigeria NG; North Macedonia MK;
  Macedonia MK; Norway NO; Oman OM; Pakistan PK; Palau PW; Panama PA; Papua New Guinea PG;
  Paraguay PY; Peru PE; Philippines PH; Poland PL; Portugal PT; Qatar QA; Romania RO; Russia RU;
  Russian Federation RU; Rwanda RW; Sao Tome and Principe ST; Saudi Arabia SA; Senegal SN;
  Serbia RS; Seychelles SC; Sierra Leone SL; Singapore SG; Slovakia SK; Slovenia SI;
  Solomon Islands SB; South Africa ZA; Spain ES; Sri Lanka LK; Saint Kitts and Nevis KN;
  St. Kitts and Nevis KN; Saint Lucia LC; St. Lucia LC; Saint Vincent and the Grenadines VC;
  St. Vincent and the Grenadines VC; Suriname SR; Sweden SE; Switzerland CH; Taiwan TW;
  Tajikistan TJ; Tanzania TZ; Thailand TH; Tonga TO; Trinidad and Tobago TT; Tunisia TN;
  Turkey TR; Türkiye TR; Turkmenistan TM; Turks and Caicos Islands TC; Uganda UG; Ukraine UA;
  United Arab Emirates AE; United Kingdom GB; Great Britain GB; United States US;
  United States of America US; Uruguay UY; Uzbekistan UZ; Vanuatu VU; Venezuela VE; Vietnam VN;
  Viet Nam VN; Yemen YE; Zambia ZM; Zimbabwe ZW
  """

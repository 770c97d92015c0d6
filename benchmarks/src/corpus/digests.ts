/** What a set of values holds. */
export interface ValueSetDigest {
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** SHA-256 of contents by corpus and size. Those of record text and random bytes of 64, 1,024 and 16,384 bytes are the digests of the .NET study they come from. */
export const SIZED_DIGESTS: Readonly<Record<string, string>> = {
  "record-text/64": "c2b21e7c8af3dbcebf19bf2d8c13a1c61674aeff937ade6db6f4ca3fee5bcdf1",
  "record-text/1024": "ddde80f27854f09534dcbffca07ae4878c33ddaf4d894491d75c5b8f2b4fd760",
  "record-text/16384": "924c68ba68f270845f844f0683e73663f67cdff24f5860d7208dd91984405df6",
  "record-text/100": "a8c88fc3a481be734b596ad93007c7cbc02ffb44b1949d6c7a810b39a1cd343c",
  "record-text/262144": "5f197476809a86dc3c75496bb2c811eb6589ca2aede60031b27a11b75b86d6b4",
  "record-text/1048576": "bc10b1ee248711866ced617d6f37dfc9f8fb18fbfae6deaa9cb12fbc6a53c74a",
  "random/64": "d1ed20d11680548111d23e41c701e2fb2235d8c47f58101eed80f9664617e896",
  "random/1024": "fab0287900c70b10192d7fd4b0a07615351fb90f43d2264f6981521a5a229307",
  "random/16384": "14f7549860498b8973a3f2716a290d5cb806f95b1d1cf8b286be76a0e06237c6",
  "random/100": "54336b0e4cf4e7c0c3e973b7f72c564e18065df73b5353aad296d072b23c8d65",
  "random/262144": "c83dd352bb3242f16dc514c606bafae09b60564f63e34e596667f06fc104839c",
  "random/1048576": "8ccbcc5c6a9602a3111028ac5eaa541dd7d4d9e60fc5f56bc1a9f450d66006f6",
  "random-981/64": "c4049602c46d021b0ceb88218bf800299e6f8331e284c4438a576760e18d5681",
  "random-981/16384": "707233f7ebb379222fca8046a02c9d617a533adf4257db00250b2be1c644422d",
  "json-documents/64": "cce32e07e394b4e08f5d02fc496b26892172709c7b216b8ad2206264b60d0125",
  "json-documents/100": "860de15bb50c757adf1e0a56c66a6455041065d0efd19ef6feba377c0ecabbfd",
  "json-documents/1024": "89ac167a9be1127fb68c06e18d9c03fde1f6484cf1f90bc53b4f7e2ff5ed3080",
  "json-documents/16384": "baee145537794bad853884daca1d8823a5bc45eef1e422d5e2f088c701881fbd",
  "json-documents/262144": "9a107686cdcfbdaaa24c6899e372712f7b9b75ff33de57f48160f77b8e108349",
  "json-documents/1048576": "1daeb0145e294b78f5e8be96cf2559d190afc9156d095c0880ac956583afb34f",
  "half-compressible/0": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "half-compressible/64": "e3bb1acd29c23ce0bcb015faab6585ef2245a1d09e42172200e0b7501da4c13a",
  "half-compressible/256": "f969dd7291c6ba77e2b13f3d222f502a6f27dc3cb4c19bdf7dccd16b08d38751",
  "half-compressible/1024": "3a50a4f78f9d1f12882ebcedb166ed5047196acf89200bc75083ff9b49dd06f2",
  "half-compressible/8192": "5b6dd5d707ab21f57aa1ffa7a944e9f66ee5f490060ce60bd4424999504a7ce7",
  "half-compressible/16384": "a8ea77a0d3d01eb066c6e599028466c385702e2785192b382bd4937171b5d647",
  "half-compressible/262144": "b3b6ff3e835f0e4fa9336b18d491b161e01693d50bfc2b24cd43ffb45515bad3",
  "half-compressible/2048000": "b38e8742c8460c72528853288f04ae7402daa54fb8bc05a6c9952a69f803e7ce",
};

/** By package and version, then by set. A new version of a package gets its own entry: results of two versions are not compared. */
export const VALUE_SET_DIGESTS: Readonly<Record<string, Readonly<Record<string, ValueSetDigest>>>> = {
  "mime-db@1.54.0": {
    "mime-db-sessions": {
      count: 181,
      bytes: 178210,
      sha256: "e1e982aa88eaf8004d5dd8f2da34670275a903cc28d8c44925041db702eb3925",
    },
    "mime-db-documents": {
      count: 18,
      bytes: 178047,
      sha256: "7ee9141049a193effca03e1a12b54b98fe0d8362c72fe5206b74cbc5aeffe8ea",
    },
    "mime-db-feeds": {
      count: 3,
      bytes: 178032,
      sha256: "4e6724f8a6b0249eb7aa17d9944ea1f15e3c8d46e8c0f6214fcc79347e0e4098",
    },
  },
  "@mdn/browser-compat-data@8.1.9": {
    "browser-compat-sessions": {
      count: 200,
      bytes: 176147,
      sha256: "46d3d8b29826e5fe35428c4e11cb6a94734ff51345e0382d14b57d41e39f6add",
    },
    "browser-compat-documents": {
      count: 60,
      bytes: 344118,
      sha256: "0f92ba7c26e5b22a61326086977abf3c8c8d004ada73ac1d87e49d21b17dd7f3",
    },
    "browser-compat-feeds": {
      count: 6,
      bytes: 167223,
      sha256: "f90ccb460c10a6c7d65fd4f507cd832fc2083e9c76767594840b0e1489656628",
    },
  },
  "world-countries@5.1.0": {
    "world-countries-sessions": {
      count: 200,
      bytes: 61734,
      sha256: "ecea2d360779e5f265622277e84377847de4a5a557448ba6fbed19d75a7c2d33",
    },
    "world-countries-documents": {
      count: 60,
      bytes: 145836,
      sha256: "093c3000222432bb34864c325f528ff2908972f30be6068b2486cd42446b4c3f",
    },
    "world-countries-feeds": {
      count: 5,
      bytes: 601600,
      sha256: "6686d5c320bcddb58920ea1d28d10d2ad6f31b4ec64727121b1414db61aa78f5",
    },
  },
};
